import type { Session } from '../../session/session.ts'
import { type AdapterOptions, createAdapter, type ProviderAdapter } from '../adapter.ts'
import type { Provider } from '../provider.ts'
import { collect } from './collect.ts'
import { decode, type GeminiReply } from './decode.ts'
import { encode, type GeminiRequest } from './encode.ts'
import { type GeminiMode, geminiModes } from './gemini-modes.ts'
import type { GeminiContent } from './parts.ts'
import { render } from './render.ts'
import { repair } from './repair.ts'
import { revealed } from './revealed.ts'

export interface GeminiOptions extends AdapterOptions {
  /** @default 'bridge' */
  mode?: GeminiMode | undefined
  /**
   * Calls are held to the schemas of the listed tools (Gemini's mode `VALIDATED`). In mode `append`
   * the list of allowed names grows with the tools.
   * @default false
   */
  validated?: boolean
}

/**
 * A conversation over Google's Gemini API.
 *
 * @throws UnknownModeError
 */
export function gemini<Message extends GeminiContent = GeminiContent>(
  session: Session,
  options: GeminiOptions = {},
): ProviderAdapter<Message, GeminiRequest<Message>, GeminiReply> {
  return createAdapter(session, geminiProvider<Message>(options), options)
}

function geminiProvider<Message extends GeminiContent>({
  validated = false,
}: GeminiOptions): Provider<Message, GeminiRequest<Message>, GeminiReply> {
  return {
    name: 'gemini',
    modes: geminiModes,
    acceptsName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
    maxTools: 512,
    // its cache wants a constant beginning, and only messages can grow without changing it
    defaultMode: () => 'bridge',
    encode: (plan) => encode(plan, { validated }),
    decode,
    render: (results) => render(results) as Message[],
    revealed,
    repair,
    collect,
  }
}

export type { GeminiReply } from './decode.ts'
export type { GeminiCalling, GeminiConfig, GeminiDeclaration, GeminiRequest } from './encode.ts'
export type { GeminiMode } from './gemini-modes.ts'
export type { GeminiContent } from './parts.ts'
