/**
 * Oldest browsers that show the wall: those of 2019. Televisions from Samsung of that year have Chromium 63, from LG of
 * 2020 Chromium 68; Firefox 60 is the extended support release of that time.
 */
export const wallBrowsers = ['chrome63', 'firefox60', 'safari12', 'ios12']
