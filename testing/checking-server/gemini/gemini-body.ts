/** The parts of a `generateContent` request that are read here, all loosely. */
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

/** A part holds one of many things; these are the ones of interest. */
export interface Part {
  text?: string
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
