import type { Agent, PhoneNumber } from '@parley/contract/agents'
import type { Trunk } from '@parley/contract/trunks'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'

export const useAgent = (agentId: string) =>
  useQuery({
    queryKey: ['agents', 'one', agentId],
    queryFn: ({ signal }) => read<Agent>(`/api/agents/${agentId}`, {}, signal),
  })

/** Begins with calls: how many are in the air changes with them. */
export const useNumbers = () =>
  useQuery({
    queryKey: ['calls', 'numbers'],
    queryFn: ({ signal }) => read<PhoneNumber[]>('/api/numbers', {}, signal),
  })

/** For managers: they tell where calls go. */
export const useTrunks = () =>
  useQuery({ queryKey: ['trunks'], queryFn: ({ signal }) => read<Trunk[]>('/api/trunks', {}, signal) })
