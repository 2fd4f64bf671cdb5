import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { curlOf } from '../curl.ts'
import { useMay } from '../session.ts'
import { Empty } from '../ui/empty.tsx'

/** Nothing can be booked before there is a place to come to. */
export function NeedBranch() {
  const mayManage = useMay('manage')
  return (
    <Empty
      title="There is no branch yet"
      text={
        mayManage
          ? 'A branch has a name, a time zone and hours. Windows and appointments belong to it.'
          : 'Ask an owner or admin of your organisation to add one.'
      }
      action={
        mayManage && (
          <Button component={Link} to="/settings/branches">
            Add a branch
          </Button>
        )
      }
      curl={curlOf({ method: 'GET', path: '/v1/appointments/branches' })}
    />
  )
}
