import { StyleSheet } from '@react-pdf/renderer'
import { type Role, roles } from '#client/ui/theme/roles.ts'
import { paperFonts } from './paperFonts.ts'

/** PDF color of a role; paper uses the light scheme. */
export const ink = (role: Role): string => roles.light[role]

/** Font sizes in points; the small one is that of tables and of the foot of a page. */
const [fontSize, smallSize, titleSize] = [9, 8, 20]

/** Text as its fonts can draw it: characters that none of them has are replaced by their code points. */
export const { written } = paperFonts

/** A name whose words fit a width in points: a path is broken without a hyphen, which would be read as part of it. */
export const fitted = (text: string, width: number): string => paperFonts.fitted(text, width / fontSize)

/** A name on one line of a width in points; it ends with an ellipsis if it is longer. */
export const shortened = (text: string, width: number): string => paperFonts.shortened(text, width / smallSize)

/** Points on A4: 595 by 842, of which 515 are between the margins. */
export const paperWidth = 515

/** Points within a card. */
export const cardWidth = paperWidth - 24

/** Points of a column of numbers. */
export const cellWidth = 62

/** A title of a document that is a name. */
export const fittedTitle = (text: string): string => paperFonts.fitted(text, paperWidth / titleSize, 700)

/**
 * In font sizes, so a style with it needs a font size. The page has none: the library multiplies that of a footer again and again,
 * which moved it off the page.
 */
const lineHeight = 1.15

export const paper = StyleSheet.create({
  page: {
    padding: 40,
    paddingBottom: 56,
    backgroundColor: ink('surface'),
    color: ink('text'),
    fontSize,
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
    fontSize: smallSize,
  },
  title: { fontWeight: 700, fontSize: titleSize, lineHeight },
  subtitle: { marginTop: 4, color: ink('text-2'), fontSize, lineHeight },
  card: {
    marginTop: 8,
    padding: 12,
    border: `0.75pt solid ${ink('border')}`,
    borderRadius: 4,
    fontSize,
    lineHeight,
  },
  cardTitle: { marginBottom: 8, fontWeight: 700, fontSize: 11, lineHeight },
  row: { flexDirection: 'row', alignItems: 'center', minHeight: 11 },
  quiet: { color: ink('text-2') },
  label: { flexGrow: 1, flexBasis: 0 },
  cell: { width: cellWidth, textAlign: 'right' },
})
