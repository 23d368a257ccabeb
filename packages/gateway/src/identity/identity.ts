import type { IncomingHttpHeaders } from 'node:http'
import type { Person } from './person.ts'

/** Turns the credentials of HTTP requests into people, and serves what clients need to sign in. */
export interface Identity {
  /** The public address of the gateway, without a path. */
  readonly url: string
  /**
   * Who sends a request. Never rejects. Answers at once for credentials that it has seen before, so
   * that most requests don't wait.
   */
  authenticate(request: CredentialRequest): Authentication | Promise<Authentication>
  /** Whether `handle` answers a path. Such paths need no credentials. */
  serves(path: string): boolean
  /**
   * Answers requests for metadata, registration and sign-in. Never rejects.
   *
   * @param url the address of the request
   * @param onRefused receives sign-ins of browsers that the provider or the gateway refuses. Must not throw.
   */
  handle(request: Request, url: URL, onRefused?: OnRefusedSignIn): Promise<Response>
}

/** The parts of a request that identify its sender. */
interface CredentialRequest {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  /** The HTTP method, which the proof for a token that is bound to a key must name. */
  readonly method?: string | undefined
  /** Whether the same request was admitted before, so that its proof has been used. @default false */
  readonly isRepeated?: boolean
}

/** @param message why a sign-in is refused, for the person and the audit log */
export type OnRefusedSignIn = (message: string, status: number) => void

export type Authentication = { readonly person: Person } | { readonly refusal: Refusal }

/** Why a request is not answered, as an HTTP response. */
export interface Refusal {
  /**
   * 400: not a valid request. 401: sign in. 403: not with these credentials. 429: too many wrong credentials. 503: the credentials cannot be
   * checked now.
   */
  readonly status: 400 | 401 | 403 | 429 | 503
  /** For people. Contains nothing that the sender does not know. */
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  /** For the audit log: nothing that the sender gets to see. */
  readonly credential?: RefusedCredential
}

/** What is known about credentials that were not accepted. */
export interface RefusedCredential {
  readonly cause:
    | 'audience'
    | 'expired'
    | 'invalid'
    | 'issuer'
    | 'profile'
    | 'proof'
    | 'revoked'
    | 'scope'
    | 'signature'
    | 'unknown-key'
  /** The id of the person whom they name. Not verified. */
  readonly claimed?: string | undefined
}
