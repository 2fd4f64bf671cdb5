import {
  type BinaryLike,
  randomBytes,
  type ScryptOptions,
  scrypt as scryptWithCallback,
  timingSafeEqual,
} from 'node:crypto'

const cost: ScryptOptions = { N: 16_384, r: 8, p: 1 }
const keyLength = 32

const scrypt = (password: BinaryLike, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scryptWithCallback(password, salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** `scrypt$N$r$p$salt$key`: the cost stands with the hash, so it can be raised later without locking anyone out. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await scrypt(password.normalize('NFKC'), salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$')
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt, key] = stored.split('$')
  if (!salt || !key) return false
  const expected = Buffer.from(key, 'base64')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await scrypt(password.normalize('NFKC'), Buffer.from(salt, 'base64'), options)
  return timingSafeEqual(actual, expected)
}
