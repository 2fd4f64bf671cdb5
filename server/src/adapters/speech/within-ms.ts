/** What takes longer fails. */
export async function withinMs<T>(work: Promise<T>, limitMs: number, failure: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  work.catch(() => {})
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(failure()), limitMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
