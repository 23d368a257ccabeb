import { ToolSearchError } from 'toolsearch'

/** A request that cannot be answered as it is; the message says what to do. */
export class RefusedRequest extends ToolSearchError {
  override readonly name = 'RefusedRequest'
  readonly code = 'refused_request'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
