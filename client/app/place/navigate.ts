import { navigate as navigateTo } from 'wouter/use-browser-location'
import { withBase } from './basePath.ts'

/** Opens a page of this product by its path, without the base path. */
export const navigate: typeof navigateTo = (to, options) => navigateTo(withBase(String(to)), options)
