/** An answer of HTTP and JSON-RPC at once to a message that is not let in. */
export function refusal(status: number, code: number, message: string, to?: unknown): Response {
  const { id } = (to ?? {}) as { id?: unknown }
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  return Response.json({ jsonrpc: '2.0', id: known, error: { code, message } }, { status })
}
