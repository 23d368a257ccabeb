import Anthropic from '@anthropic-ai/sdk'
import { describeProvider } from '../provider.cases.ts'
import { anthropicCase, miniMaxCase } from './anthropic-case.fixtures.ts'

// npm test runs the contract in every other mode of Anthropic, and one conversation with MiniMax.
describeProvider(miniMaxCase(Anthropic))

const modes = ['native-regex', 'inline-addition']
describeProvider({ ...anthropicCase('Anthropic 1.x', Anthropic), modes, stableModes: modes })
