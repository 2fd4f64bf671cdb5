import { useNavigate, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Partial<Record<string, string>>>

/** What is looked at stands in the address: it can be shared, kept and gone back from. Empty texts are left out. */
export function useFilters() {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (changes: Record<string, string | undefined>, { keep = false } = {}) =>
    void navigate({
      to: '.',
      replace: !keep,
      search: (old: Record<string, string>) =>
        Object.fromEntries(
          Object.entries({ ...old, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
        ) as Record<string, string>,
    } as Parameters<typeof navigate>[0])
  return { filters, set }
}
