import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { write } from '../../api.ts'
import { refreshCalendar } from '../../calendar/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'

interface RemoveThingProps {
  title: string
  path: string
  done: string
  children: ReactNode
  onClose: () => void
}

export function RemoveThing({ title, path, done, children, onClose }: RemoveThingProps) {
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => write('DELETE', path),
    onSuccess: async () => {
      toast(done)
      onClose()
      await refreshCalendar(client)
    },
  })
  return (
    <Confirm
      title={title}
      doIt="Delete"
      doing="Deleting…"
      busy={removing.isPending}
      failure={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      {children}
    </Confirm>
  )
}
