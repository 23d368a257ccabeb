import type { DroppedPart } from '../outputs/output-part.ts'
import type { TurnOptions } from '../session/session.ts'
import type { Collector, Repair, Repaired } from './provider.ts'
import type { Step } from './step.ts'

/** Connects one session to one provider: builds the requests and answers the searches. */
export interface ProviderAdapter<Message, Request, Reply> {
  /** The current mode. `downgrade` can change it. */
  readonly mode: string
  /**
   * The tool-related part of a request, to spread into the client's call. Keep its messages as your
   * history: they are repaired, and they include notices about changed tools.
   * @throws InvalidOptionError, ForeignMessagesError if no message has the provider's shape
   */
  request(options: RequestOptions<Message>): Promise<Request>
  /**
   * Processes a complete or collected reply: answers searches and calls that cannot run.
   * @throws InvalidReplyError if the value is not a reply of this provider
   */
  handle(reply: Reply): Promise<Step<Message>>
  /** Assembles the events of a streamed reply for `handle`. */
  collect(): Collector<Reply>
  /** The name that requests use for a tool: its own name, or a replacement if the provider rejects it. */
  nameOf(tool: string): string
  /** Restores the loaded tools from messages alone, including another provider's messages. */
  rebuild(messages: readonly unknown[]): Promise<readonly string[]>
  /** Makes any history valid and reports the changes. `request` already does this. */
  repair(messages: readonly Message[]): Repaired<Message>
  /**
   * Call it with an error from the client. If the endpoint rejected a feature that the mode requires,
   * this switches to the fallback mode, remembers it for the endpoint and returns its name: build
   * the request again. If the service rejected the model's earlier reasoning because the history
   * before it has changed, this returns the current mode, and the next request leaves the reasoning
   * out; it does so once for each reply. Returns undefined for any other error.
   */
  downgrade(error: unknown): string | undefined
}

export interface RequestOptions<Message> extends Pick<TurnOptions, 'usedTokens'> {
  messages: readonly Message[]
  /** Your system prompt, in the provider's shape. */
  system?: unknown
  /** A tool the model must call. It is loaded if it is hidden. */
  toolChoice?: string
  /**
   * Search with what the user said, and append the hidden tools that surely fit before the model asks
   * for them. `true` takes the text of the last message, if it is a message of the user. In modes that
   * can only list a tool, this applies to the first request of a conversation.
   * @default false
   */
  expect?: boolean | string
}

export interface AdapterOptions {
  /**
   * @default the mode that does what the system of the preset does: `append` for `nexo`, `dirge` and
   * `cortex`, `stub` for the presets with stubs; for others, the best one that the provider and the model
   * support
   */
  mode?: string | undefined
  model?: string | undefined
  /**
   * Identifies the endpoint, for example by the client's base URL. Modes that an endpoint rejects
   * are remembered per endpoint.
   */
  endpoint?: string | undefined
  /** Called with the changes that were needed before a history could be sent. */
  onRepair?: ((repairs: readonly Repair[]) => void) | undefined
  /**
   * Called with the parts of tool results that the provider does not accept, such as audio, each time
   * `step.run` or `step.messages` writes them. The model gets a text that names them.
   */
  onDrop?: ((dropped: readonly DroppedPart[]) => void) | undefined
  /**
   * Tools in the provider's own shape that are not in the catalogue: the provider's tools, such as web
   * search or a shell, and functions that you always list. They come first in every request, and
   * calls to them appear in `step.calls` with `isForeign`.
   * @default []
   */
  extraTools?: readonly object[] | undefined
}
