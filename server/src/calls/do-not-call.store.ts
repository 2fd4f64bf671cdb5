import type { Queryable } from '../platform/db.ts'

export const insertDoNotCall = (tx: Queryable, organisationId: string, numbers: string[]): Promise<unknown[]> =>
  tx.query('insert into do_not_call (organisation_id, number) select $1, unnest($2::text[]) on conflict do nothing', [
    organisationId,
    numbers,
  ])
