/** The fields of a `generateContent` request that the checks read. Any of them may be missing. */
export interface GeminiBody {
  contents?: readonly Content[]
  systemInstruction?: Content
  tools?: readonly Tool[]
  toolConfig?: {
    functionCallingConfig?: { mode?: string; allowedFunctionNames?: readonly string[] }
  }
}

export interface Content {
  role?: string
  parts?: readonly Part[]
}

/** A part has one of many kinds of data. These are the kinds that the checks read. */
export interface Part {
  text?: string
  thoughtSignature?: string
  functionCall?: { id?: string; name: string; args?: unknown }
  functionResponse?: { id?: string; name: string; response?: unknown }
}

interface Tool {
  functionDeclarations?: readonly Declaration[]
}

export interface Declaration {
  name?: string
  description?: string
  parameters?: unknown
  parametersJsonSchema?: unknown
}
