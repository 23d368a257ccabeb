import Anthropic from '@anthropic-ai/sdk'
import OldAnthropic from 'anthropic-sdk-0'
import { describeProvider } from '../provider.cases.ts'
import { anthropicCase } from './anthropic-case.fixtures.ts'

describeProvider(anthropicCase('Anthropic 1.x', Anthropic))
describeProvider(anthropicCase('Anthropic 0.x', OldAnthropic))
