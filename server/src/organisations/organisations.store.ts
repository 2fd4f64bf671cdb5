import type { Plan } from '@parley/contract/common'
import type { Queryable } from '../platform/db.ts'
import type { InboundOrganisation, NewOrganisation, Organisation, PublicShare } from './organisation.ts'

type OrganisationRow = { organisation_id: string; name: string; plan: Plan; timezone: string }

const columns = 'organisation_id, name, plan, timezone'
const fromRow = (row: OrganisationRow): Organisation => ({
  organisationId: row.organisation_id,
  name: row.name,
  plan: row.plan,
  timezone: row.timezone,
})

export type StoredInbound = { tokenHash: Buffer; sealedSigningSecret: Buffer }

export async function insertOrganisation(
  tx: Queryable,
  organisationId: string,
  organisation: NewOrganisation,
  inbound: StoredInbound,
): Promise<void> {
  await tx.query(
    `insert into organisations (organisation_id, name, plan, timezone, public_share_enabled, public_share_expiry,
       inbound_token_hash, inbound_signing, inbound_signing_secret)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      organisationId,
      organisation.name,
      organisation.plan,
      organisation.timezone,
      organisation.publicShare.enabled,
      organisation.publicShare.expiry,
      inbound.tokenHash,
      organisation.inboundSigning,
      inbound.sealedSigningSecret,
    ],
  )
}

export async function selectOrganisation(db: Queryable, organisationId: string): Promise<Organisation | null> {
  const rows = await db.query<OrganisationRow>(`select ${columns} from organisations where organisation_id = $1`, [
    organisationId,
  ])
  return rows[0] ? fromRow(rows[0]) : null
}

export async function selectOrganisations(db: Queryable, limit: number): Promise<Organisation[]> {
  const rows = await db.query<OrganisationRow>(
    `select ${columns} from organisations order by organisation_id limit $1`,
    [limit],
  )
  return rows.map(fromRow)
}

/** Whoever counts things against a plan's limit takes this lock first, so two at once cannot both be the last. */
export async function lockOrganisation(tx: Queryable, organisationId: string): Promise<Organisation | null> {
  const rows = await tx.query<OrganisationRow>(
    `select ${columns} from organisations where organisation_id = $1 for no key update`,
    [organisationId],
  )
  return rows[0] ? fromRow(rows[0]) : null
}

export async function updateInboundToken(db: Queryable, organisationId: string, tokenHash: Buffer): Promise<boolean> {
  const rows = await db.query(
    `update organisations set inbound_token_hash = $2, updated_at = now() where organisation_id = $1
     returning organisation_id`,
    [organisationId, tokenHash],
  )
  return rows.length === 1
}

/** By the digest of the token: the digest is what is stored. */
export async function selectByInboundTokens(
  db: Queryable,
  hashes: string[],
): Promise<{ hash: string; organisation: InboundOrganisation }[]> {
  const rows = await db.query<OrganisationRow & { hash: string; inbound_signing: boolean; secret: Buffer }>(
    `select '\\x' || encode(inbound_token_hash, 'hex') as hash, ${columns}, inbound_signing,
       inbound_signing_secret as secret
     from organisations where inbound_token_hash = any($1::bytea[])`,
    [hashes],
  )
  return rows.map((row) => ({
    hash: row.hash,
    organisation: {
      organisationId: row.organisation_id,
      plan: row.plan,
      signing: row.inbound_signing,
      sealedSigningSecret: row.secret,
    },
  }))
}

/** A null secret leaves the present one in place. */
export async function updateInboundSigning(
  db: Queryable,
  organisationId: string,
  signing: boolean,
  sealedSigningSecret: Buffer | null,
): Promise<boolean> {
  const rows = await db.query(
    `update organisations set inbound_signing = $2, updated_at = now(),
       inbound_signing_secret = coalesce($3, inbound_signing_secret)
     where organisation_id = $1 returning organisation_id`,
    [organisationId, signing, sealedSigningSecret],
  )
  return rows.length === 1
}

export async function selectInboundSigning(db: Queryable, organisationId: string): Promise<boolean | null> {
  const [row] = await db.query<{ inbound_signing: boolean }>(
    'select inbound_signing from organisations where organisation_id = $1',
    [organisationId],
  )
  return row?.inbound_signing ?? null
}

export async function selectPublicShare(db: Queryable, organisationId: string): Promise<PublicShare | null> {
  const [row] = await db.query<PublicShare>(
    `select public_share_enabled as enabled, public_share_expiry as expiry from organisations where organisation_id = $1`,
    [organisationId],
  )
  return row ?? null
}

/** An expiry that is not given leaves the present one in place. */
export async function updatePublicShare(
  db: Queryable,
  organisationId: string,
  { enabled, expiry }: { enabled: boolean; expiry?: PublicShare['expiry'] },
): Promise<PublicShare | null> {
  const [row] = await db.query<PublicShare>(
    `update organisations set public_share_enabled = $2, updated_at = now(),
       public_share_expiry = case when $3 then $4 else public_share_expiry end
     where organisation_id = $1 returning public_share_enabled as enabled, public_share_expiry as expiry`,
    [organisationId, enabled, expiry !== undefined, expiry ?? null],
  )
  return row ?? null
}

/** What is not given stays. */
export async function updateOrganisation(
  db: Queryable,
  organisationId: string,
  { name, timezone }: { name?: string; timezone?: string },
): Promise<Organisation | null> {
  const [row] = await db.query<OrganisationRow>(
    `update organisations set name = coalesce($2, name), timezone = coalesce($3, timezone), updated_at = now()
     where organisation_id = $1 returning ${columns}`,
    [organisationId, name ?? null, timezone ?? null],
  )
  return row ? fromRow(row) : null
}
