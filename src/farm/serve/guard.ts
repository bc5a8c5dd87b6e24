// Who may ask, how much and how often. In: requests. Out: whether they are taken, or the status and sentence to refuse
// them with. The one idea: the owner's token is compared in constant time, those of invitations are looked up by their
// hash and open nothing but trials, and each address has a bucket of requests that refusals empty faster.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Invite } from '../../store/index.ts'

/** A request that is not taken. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

export interface Limits {
  readonly bodyBytes: number
  /** Requests of an address in a second, over time, and at once. */
  readonly perSecond: number
  readonly burst: number
}

export const usualLimits: Limits = { bodyBytes: 16 * 2 ** 20, perSecond: 500, burst: 2000 }

/** Looks up an invitation by the hash of its token. */
export type FindInvite = (key: string) => Promise<Invite | undefined>

/** What a wrong token costs of the bucket: guessing ends soon. */
const guessCost = 100
/** Addresses whose buckets are kept, the last that asked: it bounds the memory of the server. */
const mostAddresses = 10_000

interface Bucket {
  left: number
  at: number
}

export class Guard {
  private readonly token: Buffer
  private readonly limits: Limits
  private readonly buckets = new Map<string, Bucket>()

  constructor(token: string, limits: Limits) {
    this.token = digest(token)
    this.limits = limits
  }

  /** Throws a `Refusal` where the address asks too often, or does not have the owner's token. */
  async checkOwner(request: IncomingMessage, now: number, findInvite: FindInvite): Promise<void> {
    const { given, bucket } = this.asked(request, now)
    if (this.isOwner(given)) return
    bucket.left -= guessCost
    const invite = await findInvite(tokenKey(given))
    throw invite ? new Refusal(403, 'the token of a link may measure, and nothing else') : wrongToken()
  }

  /** The invitation whose token the request has. Throws a `Refusal` where it has none that is good. */
  async checkInvite(request: IncomingMessage, now: number, findInvite: FindInvite): Promise<Invite> {
    const { given, bucket } = this.asked(request, now)
    const invite = await findInvite(tokenKey(given))
    if (!invite) {
      bucket.left -= guessCost
      throw this.isOwner(given) ? new Refusal(403, "the farm's own token does not measure: make a link") : wrongToken()
    }
    if (invite.blocked !== null) throw new Refusal(403, `this link may not go on: ${invite.blocked}`)
    if (invite.expires <= now)
      throw new Refusal(401, `this link was good until ${new Date(invite.expires).toISOString()}`)
    return invite
  }

  private isOwner = (given: string): boolean => timingSafeEqual(digest(given), this.token)

  private asked(request: IncomingMessage, now: number): { readonly given: string; readonly bucket: Bucket } {
    const bucket = this.bucketOf(request.socket.remoteAddress ?? '', now)
    if (bucket.left < 1) throw new Refusal(429, 'too many requests: wait a second')
    bucket.left -= 1
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (given !== undefined) return { given, bucket }
    bucket.left -= guessCost
    throw new Refusal(401, 'a token is needed (Authorization: Bearer …)')
  }

  private bucketOf(address: string, now: number): Bucket {
    const { perSecond, burst } = this.limits
    const known = this.buckets.get(address)
    const left = known ? Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond) : burst
    const bucket = { left, at: now }
    this.buckets.delete(address)
    this.buckets.set(address, bucket)
    for (const old of this.buckets.keys()) {
      if (this.buckets.size <= mostAddresses) break
      this.buckets.delete(old)
    }
    return bucket
  }

  /** The JSON of a request's body. Throws a `Refusal` where it is too long or no JSON. */
  async body(request: IncomingMessage, most = this.limits.bodyBytes): Promise<Readonly<Record<string, unknown>>> {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > most) throw new Refusal(413, `a request has at most ${most} bytes`)
      parts.push(part)
    }
    try {
      const value = JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Readonly<Record<string, unknown>>
    } catch {
      // said below
    }
    throw new Refusal(400, 'the body of a request is an object in JSON')
  }
}

const wrongToken = (): Refusal => new Refusal(401, 'the token is wrong')

/** What an invitation is known by. */
export const tokenKey = (token: string): string => digest(token).toString('hex')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
