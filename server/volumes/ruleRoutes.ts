import { rulePreview } from '#events/rule-preview.ts'
import { onBehalfOf } from '#server/platform/clickhouse/onBehalfOf.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { previewRules } from './previewRules.ts'

/** What rules of a file storage mean. */
export const ruleRoutes = (platform: Platform) => [
  route(rulePreview, ({ body }, caller) => previewRules(platform, onBehalfOf(caller, platform.clickhouse), body)),
]
