import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { withLock } from '../system/with-lock.ts'

/** What is kept of a sign-in. Secret, all of it. */
export interface KeptSignIn {
  readonly tokens?: StoredOAuthTokens
  /** Who we are to the authorization server, if we registered there ourselves. */
  readonly client?: StoredOAuthClientInformation
  /** What the server has wanted since and the tokens do not reach. */
  readonly wantedScope?: string
}

/** A server, as far as its sign-in is concerned: under another address it is another server. */
interface SignInKey {
  readonly name: string
  readonly url: string
}

/** Where sign-ins are kept, for all gateways of this person. */
export interface SignInStore {
  readonly folder: string
  /** Undefined if there is none, or none that can be read. */
  read(key: SignInKey): Promise<KeptSignIn | undefined>
  /** @throws when it cannot be kept: a sign-in that is lost at once is no sign-in */
  write(key: SignInKey, kept: KeptSignIn): Promise<void>
  /** Whether there was one. */
  remove(key: SignInKey): Promise<boolean>
  /** One at a time, whichever process asks: a refresh token can often be used only once. */
  alone<Result>(key: SignInKey, task: () => Promise<Result>): Promise<Result>
}

const FORMAT = 1

/** Keeps each sign-in in a file of its own that only its owner can read. */
export function createSignInStore(folder: string): SignInStore {
  const fileOf = ({ name, url }: SignInKey) => {
    const mark = createHash('sha256')
      .update(JSON.stringify([name, url]))
      .digest('hex')
    return join(folder, `${mark.slice(0, 32)}.json`)
  }

  return {
    folder,
    async read(key) {
      try {
        const { format, name, url, ...kept } = JSON.parse(await readFile(fileOf(key), 'utf8'))
        return format === FORMAT && name === key.name && url === key.url ? kept : undefined
      } catch {
        return undefined
      }
    },
    async write(key, kept) {
      const { name, url } = key
      const text = JSON.stringify({ format: FORMAT, name, url, ...kept })
      await atomicWrite(fileOf(key), text, { mode: PRIVATE_MODE })
    },
    async remove(key) {
      return rm(fileOf(key)).then(
        () => true,
        () => false,
      )
    },
    alone: (key, task) => withLock(`${fileOf(key)}.lock.d`, task),
  }
}
