/** A script has the service say something that it cannot say in answer to this request. */
export class ImpossibleReplyError extends Error {
  override readonly name = 'ImpossibleReplyError'
  readonly code = 'impossible_reply'
}
