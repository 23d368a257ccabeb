/** The data of server-sent events as they come in, until the stream ends or breaks off. */
export async function* readEvents<T>({ body }: Response): AsyncGenerator<T> {
  if (!body) return
  let text = ''
  for await (const piece of pieces(body)) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith('data: '))
      if (lines.length > 0) yield JSON.parse(lines.map((line) => line.slice(6)).join('\n')) as T
    }
  }
}

async function* pieces(body: NonNullable<Response['body']>): AsyncGenerator<string> {
  try {
    yield* body.pipeThrough(new TextDecoderStream())
  } catch {
    // who sent it has ended
  }
}
