import { isObject } from '../is-object.ts'
import { typeOfName } from './file-types.ts'
import type { NativeBlock, OutputPart } from './output-part.ts'
import { readMedia } from './read-media.ts'

type Block = Readonly<Record<string, unknown>>

/** How a block is recognised: it has all required fields, and no others than the allowed ones. */
interface Shape {
  readonly required: readonly string[]
  readonly allowed: readonly string[]
  /** Returns undefined if the fields have unexpected values. */
  readonly read: (block: Block) => OutputPart | undefined
}

const ALWAYS_ALLOWED =
  'type annotations _meta cache_control providerOptions prompt_cache_breakpoint'

function shape(fields: string, read: Shape['read'], optional = ''): Shape {
  const allowed = `${ALWAYS_ALLOWED} ${fields} ${optional}`.split(' ')
  return { required: fields === '' ? [] : fields.split(' '), allowed, read }
}

const sdkMedia = shape('data mediaType', readSdkMedia, 'filename')
const sdkAddress = shape('url', readSdkMedia, 'mediaType')

/** The blocks that MCP, the providers and the AI SDK have for results, by their `type`. */
const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  text: [shape('text', readText, 'citations')],
  image: [shape('data mimeType', readMcpMedia), shape('source', readSource, 'transformations')],
  audio: [shape('data mimeType', readMcpMedia)],
  resource: [shape('resource', readResource)],
  resource_link: [shape('uri', readLink, 'name title description mimeType size icons')],
  document: [shape('source', readSource, 'title context citations')],
  search_result: [shape('source title content', readSearchResult, 'citations')],
  tool_reference: [shape('tool_name', readToolReference)],
  browser_state: [shape('tabs', (block) => nativeTo('anthropic', block), 'state_changes')],
  input_text: [shape('text', readText)],
  input_image: [
    shape('image_url', readInputImage, 'detail file_id'),
    shape('file_id', (block) => nativeTo('openai', block), 'detail'),
  ],
  input_file: [shape('', readInputFile, 'file_data file_url file_id filename detail')],
  image_url: [shape('image_url', readImageUrl)],
  input_audio: [shape('input_audio', readInputAudio)],
  file: [shape('file', readChatFile), sdkMedia],
  'file-data': [sdkMedia],
  'image-data': [sdkMedia],
  media: [sdkMedia],
  'file-url': [sdkAddress],
  'image-url': [sdkAddress],
}

/** Parts of Gemini have no `type`. */
const geminiShapes: readonly Shape[] = [
  shape('inlineData', readInlineData),
  shape('fileData', readFileData),
]

/** Looks like data unless there are media in the same list. */
const geminiText: Shape = shape('text', readText)

/**
 * Reads a block of MCP, of a provider or of a framework. Undefined if the value is not exactly one:
 * data that merely has a field `type` stays data.
 */
export function readBlock(value: unknown): OutputPart | undefined {
  return isObject(value) ? readAs(value, fits) : undefined
}

/** Reads a value that is a block for certain, such as one of a message. It may have other fields. */
export function readKnownBlock(block: Block): OutputPart | undefined {
  return readAs(block, hasRequired)
}

function readAs(block: Block, matches: typeof fits): OutputPart | undefined {
  const { type } = block
  const shapes = typeof type === 'string' ? shapesOf(type) : geminiShapes
  for (const candidate of shapes) {
    const part = matches(candidate, block) ? candidate.read(block) : undefined
    if (part) return part
  }
  return undefined
}

function fits(candidate: Shape, block: Block): boolean {
  const { allowed } = candidate
  return hasRequired(candidate, block) && Object.keys(block).every((key) => allowed.includes(key))
}

function hasRequired({ required }: Shape, block: Block): boolean {
  return required.every((key) => block[key] !== undefined)
}

/** Reads a list that has nothing but blocks. Undefined if it has anything else. */
export function readBlocks(value: unknown): OutputPart[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const blocks = value.filter(isObject)
  const isGemini = blocks.some((block) => geminiShapes.some((candidate) => fits(candidate, block)))
  const parts = blocks.flatMap((block) => {
    const isText = isGemini && fits(geminiText, block)
    return (isText ? geminiText.read(block) : readBlock(block)) ?? []
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

function readText(block: Block): OutputPart | undefined {
  const { type, text, cache_control, citations, prompt_cache_breakpoint } = block
  if (typeof text !== 'string') return undefined
  const isAnthropic = type === 'text' && Boolean(cache_control ?? citations)
  const isOpenai = type === 'input_text' && Boolean(prompt_cache_breakpoint)
  return {
    type: 'text',
    text,
    ...(isAnthropic && native('anthropic', block)),
    ...(isOpenai && native('openai', block)),
  }
}

function readMcpMedia({ type, data, mimeType }: Block): OutputPart | undefined {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  return readMedia({ data, mimeType, kind: type === 'image' ? 'image' : 'audio' })
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
  const isWrapped = isObject(content) && typeof content.type === 'string'
  const { data, url, text } = isWrapped ? content : { ...block, text: undefined }
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
  if (filename === undefined) return 'application/pdf'
  return typeOfName(filename) ?? 'application/octet-stream'
}
