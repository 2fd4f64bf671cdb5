/** What an optional package gives; null when it is not installed. */
export function whenInstalled<T>(locate: () => T): T | null {
  try {
    return locate()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
