import { StyleSheet } from '@react-pdf/renderer'
import { breakLong } from '#events/pdf-fonts/breakLong.ts'
import { type Role, roles } from '#client/ui/theme/roles.ts'
import { paperFonts } from './paperFonts.ts'

/** PDF color of a role; paper uses the light scheme. */
export const ink = (role: Role): string => roles.light[role]

/** Font size in points. */
const fontSize = 9

/** Text as its fonts can draw it: characters that none of them has are replaced by `?`. */
export const { written } = paperFonts

/** Text whose words fit a width in points: a path is broken without a hyphen, which would be read as part of it. */
export const fitted = (text: string, width: number, size = fontSize): string => breakLong(written(text), width / size)

/** Points on A4: 595 by 842, of which 515 are between the margins. */
export const paperWidth = 515

/** The same for all languages, in font sizes: fonts for Chinese would make their lines taller than others. */
const lineHeight = 1.15

export const paper = StyleSheet.create({
  page: {
    padding: 40,
    paddingBottom: 56,
    backgroundColor: ink('surface'),
    color: ink('text'),
    fontSize,
    lineHeight,
  },
  footer: {
    position: 'absolute',
    right: 40,
    bottom: 24,
    left: 40,
    flexDirection: 'row',
    justifyContent: 'space-between',
    paddingTop: 6,
    borderTop: `0.5pt solid ${ink('border')}`,
    color: ink('text-3'),
    fontSize: 8,
  },
  title: { fontWeight: 700, fontSize: 20, lineHeight },
  subtitle: { marginTop: 4, color: ink('text-2') },
  card: {
    marginTop: 8,
    padding: 12,
    border: `0.75pt solid ${ink('border')}`,
    borderRadius: 4,
  },
  cardTitle: { marginBottom: 8, fontWeight: 700, fontSize: 11, lineHeight },
  row: { flexDirection: 'row', alignItems: 'center', minHeight: 11 },
  quiet: { color: ink('text-2') },
  label: { flexGrow: 1, flexBasis: 0, maxLines: 1, textOverflow: 'ellipsis' },
  cell: { width: 62, textAlign: 'right' },
})
