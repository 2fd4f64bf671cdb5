import type { CreateSlotBody } from '@parley/contract/appointment-slots'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'

/** One after the other. What was made is remembered: after a refusal only the rest is tried again. */
export function useMakeWindows() {
  const client = useQueryClient()
  const made = useRef(new Set<string>())
  return useMutation({
    mutationFn: async (bodies: readonly CreateSlotBody[]) => {
      try {
        for (const body of bodies) {
          const key = JSON.stringify(body)
          if (made.current.has(key)) continue
          await write('POST', '/api/v1/appointment-slots', body)
          made.current.add(key)
        }
      } finally {
        await refreshCalendar(client)
      }
      return bodies.length
    },
  })
}
