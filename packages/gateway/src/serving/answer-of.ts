import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { UpstreamError } from '../protocol/upstream-error.ts'

/** What comes back from a server, its errors as the server gave them. */
export async function answerOf<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { answer } = error
    throw answer
      ? new ProtocolError(answer.code, answer.message, answer.data)
      : new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  }
}
