import { generateText, isStepCount, type LanguageModel, type ModelMessage, type ToolSet } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'

const toolSearch = createToolSearch()

export async function chat(
  id: string,
  messages: ModelMessage[],
  { model, tools }: { model: LanguageModel; tools: ToolSet },
): Promise<string> {
  const session = await toolSearch.session(id)
  const { text, responseMessages } = await generateText({
    model,
    messages,
    ...aiSdk(session, { tools }), // any number of tools
    stopWhen: isStepCount(10),
  })
  messages.push(...responseMessages)
  return text
}
