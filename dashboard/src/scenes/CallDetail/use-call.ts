import type { CallDetail, CallNews, CallRequests, CallShare } from '@parley/contract/dashboard-calls'
import type { RecordingPeaks } from '@parley/contract/sharing'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api.ts'

const base = (callId: string) => `/api/calls/${encodeURIComponent(callId)}`

export const useCall = (callId: string) =>
  useQuery({
    queryKey: ['calls', 'one', callId],
    queryFn: ({ signal }) => read<CallDetail>(base(callId), {}, signal),
  })

/** Events and what came of telling them. */
export const useCallNews = (callId: string) =>
  useQuery({
    queryKey: ['deliveries', 'of-call', callId],
    queryFn: ({ signal }) => read<CallNews>(`${base(callId)}/deliveries`, {}, signal),
  })

export const useCallRequests = (callId: string, source: CallDetail['source']) =>
  useQuery({
    queryKey: ['hook', 'of-call', callId],
    queryFn: ({ signal }) => read<CallRequests>(`${base(callId)}/requests`, {}, signal),
    // Cancelling by the hook is rare; a call that came another way is asked about all the same, once.
    staleTime: source === 'hook' ? 0 : 60_000,
  })

export const useCallShare = (callId: string) =>
  useQuery({
    queryKey: ['share', callId],
    queryFn: ({ signal }) => read<CallShare>(`${base(callId)}/share`, {}, signal),
  })

/** A recording never changes, so neither do its peaks. */
export const usePeaks = (callId: string) =>
  useQuery({
    queryKey: ['peaks', callId],
    queryFn: ({ signal }) => read<RecordingPeaks>(`${base(callId)}/peaks`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const recordingUrl = (callId: string) => `${base(callId)}/recording`
