import { ToolSearchError } from '../tool-search-error.ts'

/** The provider has no mode with this name. */
export class UnknownModeError extends ToolSearchError {
  override readonly name = 'UnknownModeError'
  readonly code = 'unknown_mode'

  constructor(mode: string, provider: string, available: readonly string[]) {
    super(`Unknown mode "${mode}" for ${provider}. Available modes: ${available.join(', ')}.`)
  }
}

/** The provider has this mode, but the model or the other options rule it out. */
export class UnsupportedModeError extends ToolSearchError {
  override readonly name = 'UnsupportedModeError'
  readonly code = 'unsupported_mode'

  constructor(mode: string, reason: string, available: readonly string[]) {
    super(`Mode "${mode}" cannot be used: ${reason}. Available modes: ${available.join(', ')}.`)
  }
}

/** `step.messages()` was called without an output for every call. */
export class MissingOutputError extends ToolSearchError {
  override readonly name = 'MissingOutputError'
  readonly code = 'missing_output'

  constructor(tool: string) {
    super(`Missing output for "${tool}". Pass messages() one output for each call in step.calls.`)
  }
}

/** `step.run()` was called for a reply that calls a tool without `execute`. */
export class MissingExecuteError extends ToolSearchError {
  override readonly name = 'MissingExecuteError'
  readonly code = 'missing_execute'

  constructor(tool: string) {
    super(
      `Tool "${tool}" has no execute function, so step.run() cannot run it. Add one to its ` +
        'definition, pass step.run({ execute }), or run step.calls yourself and pass the outputs to ' +
        'step.messages().',
    )
  }
}

/** `adapter.handle()` got something other than a reply of its provider. */
export class InvalidReplyError extends ToolSearchError {
  override readonly name = 'InvalidReplyError'
  readonly code = 'invalid_reply'

  constructor(provider: string, expected: string) {
    super(
      `Not a reply of ${provider}: ${expected}. Pass handle() the object that the client returned, ` +
        'or collect().reply() after a stream.',
    )
  }
}

/** A history has the shape of another provider's messages. */
export class ForeignMessagesError extends ToolSearchError {
  override readonly name = 'ForeignMessagesError'
  readonly code = 'foreign_messages'

  constructor(at: number, provider: string) {
    super(
      `messages[${at}] is not a message for ${provider}, and neither is any other message. Convert ` +
        `the history with moveConversation(messages, { from, to: '${provider}' }) from ` +
        'toolsearch/conversations.',
    )
  }
}

/** More tools must be listed in full than the provider accepts. */
export class TooManyToolsError extends ToolSearchError {
  override readonly name = 'TooManyToolsError'
  readonly code = 'too_many_tools'

  constructor(count: number, limit: number) {
    super(
      `The request would list ${count} tools in full, but the provider accepts at most ${limit}. ` +
        'Start deferral earlier (activation), or mark fewer tools as eager.',
    )
  }
}
