import type { Agent } from '@parley/contract/agents'
import { useQuery } from '@tanstack/react-query'
import { read } from './api.ts'

export const useAgents = (archived = false) =>
  useQuery({
    queryKey: ['agents', archived],
    queryFn: ({ signal }) => read<Agent[]>('/api/agents', { archived: archived ? 'include' : undefined }, signal),
  })
