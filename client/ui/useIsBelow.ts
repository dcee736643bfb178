import { useMediaQuery } from '@mantine/hooks'

/** True while the window is narrower than this width in pixels. */
export const useIsBelow = (width: number): boolean =>
  useMediaQuery(`(width < ${width}px)`, undefined, { getInitialValueInEffect: false }) === true
