import { textOf } from '../../protocol/json-object.ts'
import { readerOf } from '../result-reader.ts'
import { type MetaTool, metaToolDefinition, READ_ONLY } from './meta-tool.ts'

export const READ_RESULT = 'read_result'

export const readResult: MetaTool = {
  name: READ_RESULT,
  definition: () =>
    metaToolDefinition(
      READ_RESULT,
      'Get the next part of a truncated result. The truncated result states the id and the offset.',
      {
        properties: { id: { type: 'string' }, offset: { type: 'integer', minimum: 0 } },
        required: ['id', 'offset'],
      },
      READ_ONLY,
    ),
  async answer({ arguments: { id, offset } }, options, { results, config }) {
    return results.read(textOf(id), {
      offset: Number(offset) || 0,
      limit: config().limits.resultChars,
      reader: readerOf(options),
    })
  },
}
