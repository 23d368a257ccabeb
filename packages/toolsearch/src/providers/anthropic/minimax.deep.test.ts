import Anthropic from '@anthropic-ai/sdk'
import { describeProvider } from '../provider.cases.ts'
import { miniMaxCase } from './anthropic-case.fixtures.ts'

// npm test runs one conversation with MiniMax.
describeProvider(miniMaxCase(Anthropic))
