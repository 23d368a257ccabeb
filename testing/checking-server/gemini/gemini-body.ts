/** The parts of a `generateContent` request that are read here, all loosely. */
export interface GeminiBody {
  contents?: readonly WireContent[]
  systemInstruction?: WireContent
  tools?: readonly WireTool[]
  toolConfig?: {
    functionCallingConfig?: { mode?: string; allowedFunctionNames?: readonly string[] }
  }
}

export interface WireContent {
  role?: string
  parts?: readonly WirePart[]
}

/** A part holds one of many things; these are the ones of interest. */
export interface WirePart {
  text?: string
  functionCall?: { id?: string; name: string; args?: unknown }
  functionResponse?: { id?: string; name: string; response?: unknown }
}

interface WireTool {
  functionDeclarations?: readonly WireDeclaration[]
}

export interface WireDeclaration {
  name?: string
  description?: string
  parameters?: unknown
  parametersJsonSchema?: unknown
}
