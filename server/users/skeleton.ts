/**
 * Characters that look like Latin ones, by those. From the confusables of Unicode Technical Standard 39 for the scripts
 * of common keyboards: Cyrillic, Greek, Armenian, Latin. Small letters also stand for capitals that have no entry.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'ВΒьƅ',
  c: 'сϲ',
  d: 'ԁɗ',
  e: 'еҽ℮',
  f: 'ƒք',
  g: 'ɡցԍ',
  h: 'һհНΗ',
  i: 'іιıɩ',
  j: 'јϳ',
  k: 'кκ',
  l: '1I|ӏӀІΙǀא',
  m: 'МΜ',
  n: 'Νոռ',
  o: '0оοօσ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'ТΤτ',
  u: 'υսʋ',
  v: 'ѵνᴠ',
  w: 'ԝѡա',
  x: 'хχ×',
  y: 'уүγΥ',
  z: 'Ζᴢ',
}

const latinOf = new Map(Object.entries(lookAlikes).flatMap(([latin, others]) => [...others].map((one) => [one, latin])))

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]+/gu

/**
 * The form of a name that is the same for names that look alike: of look-alike letters, of composed and decomposed or
 * wide characters, with invisible ones. Not for display.
 */
export function skeletonOf(name: string): string {
  const characters = [...name.normalize('NFKD').replace(invisible, '').replace(/\s+/g, ' ').trim()]
  const latin = characters.map((one) => latinOf.get(one) ?? latinOf.get(one.toLowerCase()) ?? one.toLowerCase())
  return latin.join('').replaceAll('rn', 'm').replaceAll('vv', 'w').normalize('NFC')
}
