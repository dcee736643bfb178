/**
 * Characters that look like a Latin one in either case, by the small one. From the confusables of Unicode Technical
 * Standard 39 for the scripts of common keyboards (Cyrillic, Greek, Armenian, Latin), and for those that copy Latin
 * capitals (Cherokee, Lisu). Small letters also stand for capitals that have no entry. In many fonts a capital I, a small
 * l and the digit 1 are one stroke; a small i is with them, because names are compared without case.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀᎪꓮ',
  b: 'ВΒьƅʙᏴꓐ',
  c: 'сϲᴄᏟꓚ',
  d: 'ԁɗᴅᎠꓓ',
  e: 'еҽ℮ΕᴇᎬꓰ',
  f: 'ƒքꜰꓝ',
  g: 'ɡցԍɢᏀꓖ',
  h: 'һհНΗʜᎻꓧ',
  i: 'іιıɩ1l|ӏӀІΙǀאɪʟᎥᏞꓲꓡ!ǃ¦∣',
  j: 'јϳᴊᎫꓙ',
  k: 'кκᴋᏦꓗ',
  m: 'МΜмᴍᎷꓟ',
  n: 'Νոռɴꓠ',
  o: '0оοօσᴏꓳ',
  p: 'рρᴘᏢꓑ',
  q: 'ԛզ',
  r: 'гᴦʀᎡᏒꓣ',
  s: 'ѕꜱᏚꓢ',
  t: 'ТΤτтᴛᎢꓔ',
  u: 'υսʋᴜꓴ',
  v: 'ѵνᴠᏙꓦ',
  w: 'ԝѡաᴡᎳꓪ',
  x: 'хχ×ꓫ',
  y: 'уүγΥʏᎩꓬ',
  z: 'ΖᴢᏃꓜ',
}

const latinOf = new Map(Object.entries(lookAlikes).flatMap(([latin, others]) => [...others].map((one) => [one, latin])))

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]+/gu

/** Marks that are part of no letter of a language, such as a dot above an i, or a line through a letter. */
const looseMarks = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{M}+/gu

/**
 * The form of a name that is the same for names that look alike: of look-alike letters, of composed and decomposed or
 * wide characters, with invisible ones and loose marks. Letters with accents differ from those without. Not for display.
 */
export function skeletonOf(name: string): string {
  const characters = [...name.normalize('NFKD').replace(invisible, '').replace(/\s+/g, ' ').trim()]
  const latin = characters.map((one) => latinOf.get(one) ?? latinOf.get(one.toLowerCase()) ?? one.toLowerCase())
  return latin.join('').replaceAll('rn', 'm').replaceAll('vv', 'w').normalize('NFC').replace(looseMarks, '')
}
