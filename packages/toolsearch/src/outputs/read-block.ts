import { isObject } from '../is-object.ts'
import type { NativeBlock, OutputPart } from './output-part.ts'
import { readMedia } from './read-media.ts'

type Block = Readonly<Record<string, unknown>>

/** How a block is recognised: it has the required fields and no others than these. */
interface Shape {
  readonly requires: readonly string[]
  readonly allows?: readonly string[]
  /** Returns undefined if the fields have unexpected values. */
  read(block: Block): OutputPart | undefined
}

const EXTRAS = [
  'annotations',
  '_meta',
  'cache_control',
  'providerOptions',
  'prompt_cache_breakpoint',
]

/** The blocks that MCP, the providers and the AI SDK have for results, by their `type`. */
const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  text: [
    {
      requires: ['text'],
      allows: ['citations'],
      read: (block) => readText(block, block.cache_control ? 'anthropic' : undefined),
    },
  ],
  image: [
    { requires: ['data', 'mimeType'], read: (block) => readMcpMedia(block, 'image') },
    { requires: ['source'], allows: ['transformations'], read: readSource },
  ],
  audio: [{ requires: ['data', 'mimeType'], read: (block) => readMcpMedia(block, 'audio') }],
  resource: [{ requires: ['resource'], read: readResource }],
  resource_link: [
    {
      requires: ['uri'],
      allows: ['name', 'title', 'description', 'mimeType', 'size', 'icons'],
      read: readLink,
    },
  ],
  document: [{ requires: ['source'], allows: ['title', 'context', 'citations'], read: readSource }],
  search_result: [
    { requires: ['source', 'title', 'content'], allows: ['citations'], read: readSearchResult },
  ],
  tool_reference: [{ requires: ['tool_name'], read: readToolReference }],
  browser_state: [
    {
      requires: ['tabs'],
      allows: ['state_changes'],
      read: (block) => nativeTo('anthropic', block),
    },
  ],
  input_text: [{ requires: ['text'], read: (block) => readText(block) }],
  input_image: [
    { requires: ['image_url'], allows: ['detail', 'file_id'], read: readInputImage },
    { requires: ['file_id'], allows: ['detail'], read: (block) => nativeTo('openai', block) },
  ],
  input_file: [
    {
      requires: [],
      allows: ['file_data', 'file_url', 'file_id', 'filename', 'detail'],
      read: readInputFile,
    },
  ],
  image_url: [{ requires: ['image_url'], read: readImageUrl }],
  input_audio: [{ requires: ['input_audio'], read: readInputAudio }],
  file: [
    { requires: ['file'], read: readChatFile },
    { requires: ['data', 'mediaType'], allows: ['filename'], read: readSdkMedia },
  ],
  'file-data': [{ requires: ['data', 'mediaType'], allows: ['filename'], read: readSdkMedia }],
  'image-data': [{ requires: ['data', 'mediaType'], read: readSdkMedia }],
  media: [{ requires: ['data', 'mediaType'], read: readSdkMedia }],
  'file-url': [{ requires: ['url'], allows: ['mediaType'], read: readSdkMedia }],
  'image-url': [{ requires: ['url'], allows: ['mediaType'], read: readSdkMedia }],
}

/** Parts of Gemini have no `type`. */
const geminiShapes: readonly Shape[] = [
  { requires: ['inlineData'], read: readInlineData },
  { requires: ['fileData'], read: readFileData },
]

/** Looks like data unless it is beside media. */
const geminiText: Shape = { requires: ['text'], read: (block) => readText(block) }

/**
 * Reads a block of MCP, of a provider or of a framework. Undefined if the value is not exactly one:
 * data that merely has a field `type` stays data.
 */
export function readBlock(value: unknown): OutputPart | undefined {
  if (!isObject(value)) return undefined
  const { type } = value
  const shapes = typeof type === 'string' ? shapesOf(type) : geminiShapes
  for (const shape of shapes) {
    const part = fits(shape, value) ? shape.read(value) : undefined
    if (part) return part
  }
  return undefined
}

function fits({ requires, allows = [] }: Shape, value: unknown): value is Block {
  if (!isObject(value)) return false
  const known = ['type', ...requires, ...allows, ...EXTRAS]
  return (
    requires.every((key) => value[key] !== undefined) &&
    Object.keys(value).every((key) => known.includes(key))
  )
}

/** Reads a list that has nothing but blocks. Undefined if it has anything else. */
export function readBlocks(value: unknown): OutputPart[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const isGemini = value.some((item) => geminiShapes.some((shape) => fits(shape, item)))
  const parts = value.flatMap((item) => {
    const isText = isGemini && fits(geminiText, item)
    return (isText ? geminiText.read(item) : readBlock(item)) ?? []
  })
  return parts.length === value.length ? parts : undefined
}

function shapesOf(type: string): readonly Shape[] {
  return Object.hasOwn(SHAPES, type) ? SHAPES[type]! : []
}

function native(provider: string, block: Block): { readonly native: NativeBlock } {
  return { native: { provider, block } }
}

function nativeTo(provider: string, block: Block): OutputPart {
  return { type: 'native', provider, block }
}

function readText(block: Block, provider?: string): OutputPart | undefined {
  if (typeof block.text !== 'string') return undefined
  return { type: 'text', text: block.text, ...(provider && native(provider, block)) }
}

function readMcpMedia({ data, mimeType }: Block, kind: 'image' | 'audio'): OutputPart | undefined {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  return readMedia({ data, mimeType, kind })
}

function readResource({ resource }: Block): OutputPart | undefined {
  if (!isObject(resource) || typeof resource.uri !== 'string') return undefined
  const { uri, text, blob } = resource
  const mimeType = optionalText(resource.mimeType)
  if (typeof text === 'string') {
    return { type: 'resource', uri, text, ...(mimeType !== undefined && { mimeType }) }
  }
  if (typeof blob !== 'string') return undefined
  const part = readMedia({ data: blob, mimeType, filename: lastSegment(uri), kind: 'file' })
  return part?.type === 'resource' ? { ...part, uri } : part
}

function readLink({ uri, name, title, description, mimeType }: Block): OutputPart | undefined {
  if (typeof uri !== 'string') return undefined
  const label = optionalText(title) ?? optionalText(name)
  return {
    type: 'link',
    uri,
    ...(label !== undefined && { name: label }),
    ...(typeof description === 'string' && { description }),
    ...(typeof mimeType === 'string' && { mimeType }),
  }
}

/** An image or a document of Anthropic. */
function readSource(block: Block): OutputPart | undefined {
  const { source, type, title } = block
  if (!isObject(source)) return undefined
  const origin = native('anthropic', block)
  const kind = type === 'image' ? 'image' : 'file'
  const filename = optionalText(title)
  const { data, url, media_type: mediaType, content } = source
  switch (source.type) {
    case 'base64':
      return readMedia({ data, mimeType: optionalText(mediaType), filename, kind, ...origin })
    case 'url': {
      if (typeof url !== 'string') return undefined
      const mimeType = kind === 'file' ? 'application/pdf' : undefined
      return readMedia({ url, mimeType, filename, kind, ...origin })
    }
    case 'text':
      if (typeof data !== 'string') return undefined
      return { type: 'resource', uri: filename ?? '', text: data, ...origin }
    case 'content': {
      const text = typeof content === 'string' ? content : textsIn(content)
      return { type: 'resource', uri: filename ?? '', text, ...origin }
    }
    case 'file':
      return nativeTo('anthropic', block)
    default:
      return undefined
  }
}

function readSearchResult(block: Block): OutputPart | undefined {
  const { title, source, content } = block
  if (typeof title !== 'string' || typeof source !== 'string') return undefined
  const text = `${title} (${source})\n${textsIn(content)}`
  return { type: 'text', text, ...native('anthropic', block) }
}

function readToolReference(block: Block): OutputPart | undefined {
  if (typeof block.tool_name !== 'string') return undefined
  return { type: 'text', text: `Tool: ${block.tool_name}`, ...native('anthropic', block) }
}

function readInputImage(block: Block): OutputPart | undefined {
  if (typeof block.image_url !== 'string') return undefined
  return readMedia({ url: block.image_url, kind: 'image', ...native('openai', block) })
}

function readInputFile(block: Block): OutputPart | undefined {
  const { file_data: data, file_url: url, file_id: id } = block
  const filename = optionalText(block.filename)
  const origin = native('openai', block)
  if (typeof data === 'string') {
    const mimeType = data.startsWith('data:') ? undefined : typeOfFile(filename)
    return readMedia({ data, mimeType, filename, kind: 'file', ...origin })
  }
  if (typeof url === 'string') {
    return readMedia({ url, mimeType: typeOfFile(url), filename, kind: 'file', ...origin })
  }
  return typeof id === 'string' ? nativeTo('openai', block) : undefined
}

function readImageUrl(block: Block): OutputPart | undefined {
  const { image_url: image } = block
  const url = isObject(image) ? image.url : image
  if (typeof url !== 'string') return undefined
  const origin = isObject(image) && native('openai-compatible', block)
  return readMedia({ url, kind: 'image', ...origin })
}

function readInputAudio(block: Block): OutputPart | undefined {
  const { input_audio: audio } = block
  if (!isObject(audio) || typeof audio.format !== 'string') return undefined
  const mimeType = audio.format === 'mp3' ? 'audio/mpeg' : `audio/${audio.format}`
  const origin = native('openai-compatible', block)
  return readMedia({ data: audio.data, mimeType, kind: 'audio', ...origin })
}

function readChatFile(block: Block): OutputPart | undefined {
  const { file } = block
  if (!isObject(file)) return undefined
  const { file_data: data, file_id: id } = file
  if (typeof data !== 'string') {
    return typeof id === 'string' ? nativeTo('openai-compatible', block) : undefined
  }
  const filename = optionalText(file.filename)
  const mimeType = data.startsWith('data:') ? undefined : typeOfFile(filename)
  return readMedia({
    data,
    mimeType,
    filename,
    kind: 'file',
    ...native('openai-compatible', block),
  })
}

/** The media of the AI SDK, whose `data` can be an object that has the data or an address. */
function readSdkMedia(block: Block): OutputPart | undefined {
  const { type, data: content } = block
  const kind = String(type).startsWith('image') ? 'image' : 'file'
  const mimeType = optionalText(block.mediaType)
  const filename = optionalText(block.filename)
  const { data, url, text } = isObject(content) ? content : { ...block, text: undefined }
  if (typeof text === 'string') return { type: 'resource', uri: filename ?? '', text }
  if (url !== undefined) return readMedia({ url: String(url), mimeType, filename, kind })
  return readMedia({ data, mimeType, filename, kind })
}

function readInlineData(block: Block): OutputPart | undefined {
  const { inlineData } = block
  if (!isObject(inlineData) || typeof inlineData.mimeType !== 'string') return undefined
  const { data, mimeType } = inlineData
  const filename = optionalText(inlineData.displayName)
  return readMedia({ data, mimeType, filename, kind: 'file', ...native('gemini', block) })
}

function readFileData(block: Block): OutputPart | undefined {
  const { fileData } = block
  if (!isObject(fileData) || typeof fileData.fileUri !== 'string') return undefined
  const mimeType = optionalText(fileData.mimeType)
  const origin = native('gemini', block)
  return readMedia({ url: fileData.fileUri, mimeType, kind: 'file', ...origin })
}

function textsIn(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function lastSegment(uri: string): string | undefined {
  return optionalText(uri.split(/[?#]/)[0]!.split('/').at(-1))
}

/** Files without a type are PDFs more often than anything else. */
function typeOfFile(filename: string | undefined): string {
  return filename === undefined || /\.pdf$/i.test(filename)
    ? 'application/pdf'
    : 'application/octet-stream'
}
