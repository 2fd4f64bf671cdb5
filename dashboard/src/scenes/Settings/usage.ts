/** 2 windows, 1 agent and 3 services; what there is none of is left out. */
export function usageText(uses: Record<string, number>): string {
  const parts = Object.entries(uses)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}
