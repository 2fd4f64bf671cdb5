import { useNavigate, useSearch } from '@tanstack/react-router'

/** Filters stand in the address, so that what is seen can be sent to somebody. An empty one is none. */
export function useUrlFilters(): [Record<string, string>, (changes: Record<string, string | null>) => void] {
  const search = useSearch({ strict: false }) as Record<string, string>
  const navigate = useNavigate()
  const change = (changes: Record<string, string | null>) => {
    const next = Object.entries({ ...search, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
    )
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
  }
  return [search, change]
}
