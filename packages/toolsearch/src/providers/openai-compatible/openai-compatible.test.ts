import { describeProvider } from '../provider.cases.ts'
import { chatCase } from './openai-compatible.fixtures.ts'

describeProvider(chatCase('Chat Completions'))
