import type { Endpoint, Notice, Recovery, WebhookHealth } from '@parley/contract/webhooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../api.ts'
import { refresh } from '../../live.ts'

export const endpointPath = (endpointId: string): string => `/api/webhooks/endpoints/${encodeURIComponent(endpointId)}`

// All begin with the topic of the live stream: whatever is sent anywhere is seen here.
const topic = 'deliveries'

export const useEndpoints = () =>
  useQuery({
    queryKey: [topic, 'endpoints'],
    queryFn: ({ signal }) => read<Endpoint[]>('/api/webhooks/endpoints', {}, signal),
  })

export const useEndpoint = (endpointId: string) =>
  useQuery({
    queryKey: [topic, 'endpoint', endpointId],
    queryFn: ({ signal }) => read<Endpoint>(endpointPath(endpointId), {}, signal),
  })

export const useHealth = () =>
  useQuery({
    queryKey: [topic, 'health'],
    queryFn: ({ signal }) => read<WebhookHealth>('/api/webhooks/health', {}, signal),
  })

export const useNotices = () =>
  useQuery({
    queryKey: [topic, 'notices'],
    queryFn: ({ signal }) => read<Notice[]>('/api/webhooks/notices', {}, signal),
  })

export const useRecoveries = (endpointId: string) =>
  useQuery({
    queryKey: [topic, 'recoveries', endpointId],
    queryFn: ({ signal }) => read<Recovery[]>(`${endpointPath(endpointId)}/recoveries`, {}, signal),
  })

interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

/** Any write of this scene; what it changed is read again before it counts as done. */
export function useWebhookChange<T = unknown>(onDone?: (answer: T) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => write<T>(method, path, body),
    onSuccess: (answer, { method }) => {
      // What was deleted is not asked for again: the page that shows it is about to be left.
      if (method !== 'DELETE') void refresh(client, [topic])
      onDone?.(answer)
    },
  })
}
