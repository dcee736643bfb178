import { localStorageColorSchemeManager } from '@mantine/core'

/** Kept under the key that `scheme.js` reads before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'colorScheme' })
