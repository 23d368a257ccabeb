import { isBeforeGemini3 } from '../../is-before-gemini-3.ts'
import { isObject } from '../../is-object.ts'
import { check, flag } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { createAdapter } from '../adapter.ts'
import { checkAdapterOptions } from '../check-adapter-options.ts'
import { universalModes } from '../modes.ts'
import type { Provider } from '../provider.ts'
import type { AdapterOptions, ProviderAdapter } from '../provider-adapter.ts'
import { collect, decode, type GeminiReply } from './decode.ts'
import { encode, type GeminiRequest } from './encode.ts'
import { ACCEPTED_NAME, type GeminiContent, read, recognises } from './read.ts'
import { repair } from './repair.ts'
import { render } from './results.ts'

/** The ways to defer tools with the Gemini API, which has no deferral of its own. */
export type GeminiMode = keyof typeof universalModes

export interface GeminiOptions extends AdapterOptions {
  /** @default the mode of the preset, or 'bridge' */
  mode?: GeminiMode | undefined
  /**
   * Makes the model follow the schemas of the listed tools (Gemini's mode `VALIDATED`). In mode
   * `append` the list of allowed names grows with the tool list.
   * @default false
   */
  validated?: boolean
}

const isPart = (value: unknown) => typeof value === 'string' || isObject(value)
const checkSystem = check(
  (value) => isPart(value) || (Array.isArray(value) && value.every(isPart)),
  'use a string, a content, a part, or an array of strings and parts',
)

/**
 * An adapter for Google's Gemini API.
 *
 * @throws InvalidOptionError, UnknownModeError
 */
export function gemini<Message extends GeminiContent = GeminiContent>(
  session: Session,
  options: GeminiOptions = {},
): ProviderAdapter<Message, GeminiRequest<Message>, GeminiReply> {
  checkAdapterOptions(options, { validated: flag })
  return createAdapter(session, geminiProvider<Message>(options), options)
}

function geminiProvider<Message extends GeminiContent>({
  validated = false,
  model,
}: GeminiOptions): Provider<Message, GeminiRequest<Message>, GeminiReply> {
  return {
    name: 'gemini',
    modes: universalModes,
    acceptsName: ACCEPTED_NAME,
    recognises,
    read,
    maxTools: 512,
    // Prompt caching needs a stable prefix, and only messages can grow without changing it.
    defaultMode: () => 'bridge',
    extraNames: ({ functionDeclarations: list }) =>
      (Array.isArray(list) ? list : []).map((declaration) => String(declaration?.name)),
    isNativeResult: ({ functionResponse }) => isObject(functionResponse),
    checkSystem,
    encode: (plan) => encode(plan, { validated }),
    decode,
    render: (results, _, onDropped) =>
      render(results, !isBeforeGemini3(model), onDropped) as Message[],
    repair: (entries) => repair(entries, !isBeforeGemini3(model)),
    collect,
  }
}

export type { GeminiReply } from './decode.ts'
export type { GeminiCalling, GeminiConfig, GeminiDeclaration, GeminiRequest } from './encode.ts'
export type { GeminiContent } from './read.ts'
