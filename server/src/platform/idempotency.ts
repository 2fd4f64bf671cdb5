import type { Database, Queryable, Transaction } from './db.ts'
import { fault, ParleyError } from './errors.ts'
import { sha256Bytea } from './secrets.ts'

/** One remembered request: which one it was, and what it said. */
export type IdempotencyClaim = { keyHash: string; bodyHash: string }
export type IdempotencyScope = { organisationId: string; route: string }

const keepHours = 24

/** Decisions 2: 1–255 visible ASCII characters. A repeated header arrives joined by a comma and a space, so it fails. */
export function claimFor(scope: IdempotencyScope, key: unknown, rawBody: Buffer): IdempotencyClaim | null {
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ParleyError('VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      details: [fault('Idempotency-Key', 'format', 'Use 1 to 255 visible ASCII characters, without spaces.')],
    })
  }
  // A key holds no space, so no other scope and key can run together to the same text.
  const keyHash = sha256Bytea(`${scope.organisationId} ${scope.route} ${key}`)
  return { keyHash, bodyHash: sha256Bytea(rawBody) }
}

/**
 * The part of a creating statement that takes the keys. `from` names a CTE with key_hash, body_hash and answer; rows
 * without a key_hash are left alone. In key order, so that two batches never wait for each other in a circle. A key
 * that is taken yields no row, nor does the second of two equal keys in one batch: an answer names what it made, so it
 * tells the two apart.
 */
export const takeKeys = (from: string): string => `
  insert into idempotency_keys (key_hash, body_hash, answer, expires_at)
  select key_hash, body_hash, answer, now() + interval '${keepHours} hours'
  from ${from} where key_hash is not null
  order by key_hash
  on conflict do nothing
  returning answer`

export type Remembered = { sameBody: boolean; answer: string | null }

/** What was answered before, or null when the key has expired meanwhile (then it is forgotten and free again). */
export async function recall(db: Queryable, claim: IdempotencyClaim): Promise<Remembered | null> {
  const [row] = await db.query<{ same_body: boolean; answer: string | null; expired: boolean }>(
    `select body_hash = $2 as same_body, answer, expires_at <= now() as expired
     from idempotency_keys where key_hash = $1`,
    [claim.keyHash, claim.bodyHash],
  )
  if (!row) return null
  if (row.expired) {
    await db.query('delete from idempotency_keys where key_hash = $1 and expires_at <= now()', [claim.keyHash])
    return null
  }
  return { sameBody: row.same_body, answer: row.answer }
}

/** The first answer, for whoever finds the key taken. Null when there is no key, or it has just expired and is free again. */
export async function replayOf(db: Queryable, claim: IdempotencyClaim | null): Promise<string | null> {
  const remembered = claim && (await recall(db, claim))
  if (!remembered) return null
  if (!remembered.sameBody) {
    throw new ParleyError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body. Use a new key.')
  }
  if (remembered.answer === null) {
    throw new ParleyError('NOT_FOUND', 'The call made with this Idempotency-Key has been erased.')
  }
  return remembered.answer
}

/** For a request that would be refused now: its first answer, when this very request succeeded before. */
export async function rememberedAnswer(db: Queryable, claim: IdempotencyClaim | null): Promise<string | null> {
  const remembered = claim && (await recall(db, claim))
  return remembered?.sameBody ? remembered.answer : null
}

/** `answer` is the response's exact text: a repeat with the same key gets the same bytes. */
export type OnceAnswered = { answer: string; replayed: boolean }

/** Work that is no creating statement: the key is taken in its transaction, and taken back when the work is refused. */
export async function answerOnce(
  db: Database,
  claim: IdempotencyClaim | null,
  work: (tx: Transaction) => Promise<string>,
): Promise<OnceAnswered> {
  const answer = await db.transaction(async (tx) => {
    if (claim && !(await takeKey(tx, claim))) return null
    const made = await work(tx)
    if (claim) await tx.query('update idempotency_keys set answer = $2 where key_hash = $1', [claim.keyHash, made])
    return made
  })
  if (answer !== null) return { answer, replayed: false }
  const first = await replayOf(db, claim)
  if (first !== null) return { answer: first, replayed: true }
  throw new ParleyError('UNAVAILABLE', 'Try again.', { headers: { 'retry-after': '1' } })
}

/** Whoever asks for the same key meanwhile waits here until this transaction has ended. */
async function takeKey(tx: Queryable, claim: IdempotencyClaim): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotency_keys as k (key_hash, body_hash, expires_at)
     values ($1, $2, now() + interval '${keepHours} hours')
     on conflict (key_hash) do update set body_hash = excluded.body_hash, answer = null, expires_at = excluded.expires_at
     where k.expires_at <= now()
     returning key_hash`,
    [claim.keyHash, claim.bodyHash],
  )
  return rows.length === 1
}

/** What was answered is forgotten, that it was asked is not: a repeat finds the key taken (decisions 3). */
export const eraseAnswer = (tx: Queryable, keyHash: Buffer): Promise<unknown[]> =>
  tx.query('update idempotency_keys set answer = null where key_hash = $1', [keyHash])

export const forgetExpiredKeys = (db: Queryable): Promise<unknown[]> =>
  db.query('delete from idempotency_keys where expires_at <= now()')
