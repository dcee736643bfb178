import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'

/** Steps of the first day, in their order. */
export const setupSteps = ['storage', 'schedule', 'mail', 'alert', 'user'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Finished steps of the first day, for the product as a whole, and whether the caller hid the checklist. */
export const Setup = z.object({ done: z.array(z.enum(setupSteps)), isHidden: z.boolean() })
export type Setup = z.infer<typeof Setup>

const needs = 'settings.edit'

export const setup = endpoint({
  method: 'GET',
  path: '/v1/setup',
  needs,
  failure: 'Unable to fetch the setup checklist',
  answer: Setup,
})

/** Hides the checklist for the caller, or shows it again. */
export const hideSetup = endpoint({
  method: 'PUT',
  path: '/v1/setup',
  needs,
  failure: 'Unable to change the setup checklist',
  body: z.object({ isHidden: z.boolean() }),
})
