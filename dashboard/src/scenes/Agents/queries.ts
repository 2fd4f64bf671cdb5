import type { Agent, PhoneNumber } from '@parley/contract/agents'
import type { Branch } from '@parley/contract/appointments'
import type { Trunk } from '@parley/contract/trunks'
import { useQuery } from '@tanstack/react-query'
import { read, readPage } from '../../api.ts'

export const useAgents = (archived: boolean) =>
  useQuery({
    queryKey: ['agents', archived],
    queryFn: ({ signal }) => read<Agent[]>('/api/agents', { archived: archived ? 'include' : undefined }, signal),
  })

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

export const useBranches = () =>
  useQuery({
    queryKey: ['branches', 'choices'],
    queryFn: async ({ signal }) =>
      (await readPage<Branch>('/api/v1/appointments/branches', { limit: 100 }, signal)).data,
  })
