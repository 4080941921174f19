/** The product's design as themes of the library: same colours, sizes and radii, in light and dark. */
import type { AlertProps, CheckboxProps } from '@mui/material'
import { defaultTheme, type RaThemeOptions } from 'react-admin'
import { type Scheme, TOKENS, token } from '#src/app/tokens.ts'

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif'

export function themeOf(scheme: Scheme): RaThemeOptions {
  const of = (name: string) => token(scheme, name)
  const contrast = of('accent-ink')
  const bold = of('weight-bold')
  return {
    ...defaultTheme,
    palette: {
      mode: scheme,
      primary: { main: of('accent'), dark: of('accent-press'), contrastText: contrast },
      secondary: { main: of('accent'), contrastText: contrast },
      success: { main: of('in') },
      warning: { main: of('warn') },
      error: { main: of('bad') },
      info: { main: of('ink-2') },
      background: { default: of('bg'), paper: of('surface') },
      text: { primary: of('ink'), secondary: of('ink-2'), disabled: of('ink-3') },
      divider: of('line'),
    },
    shape: { borderRadius: Number.parseFloat(of('radius-tag')) },
    spacing: 8,
    sidebar: { width: 240, closedWidth: 55 },
    typography: {
      fontFamily: FONT,
      h1: { fontSize: of('text-title'), fontWeight: bold },
      h2: { fontSize: of('text-body'), fontWeight: bold },
      h3: { fontSize: of('text-small'), fontWeight: bold },
      h6: { fontSize: of('text-body'), fontWeight: bold },
      button: { textTransform: 'none', fontWeight: of('weight-semibold') },
    },
    components: {
      ...defaultTheme.components,
      MuiCssBaseline: {
        styleOverrides: {
          // The product's components read these; the console's switch sets them, not only the system.
          ':root': { ...TOKENS[scheme], colorScheme: scheme },
          a: { color: of('accent') },
          ':focus-visible': { outline: `2px solid ${of('accent')}`, outlineOffset: 1 },
        },
      },
      MuiButton: {
        defaultProps: { variant: 'outlined', size: 'small', disableElevation: true },
        styleOverrides: { root: { whiteSpace: 'nowrap' } },
      },
      MuiChip: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiTextField: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiOutlinedInput: { styleOverrides: { notchedOutline: { borderColor: of('field-line') } } },
      MuiPaper: {
        defaultProps: { elevation: 0 },
        styleOverrides: {
          root: { backgroundImage: 'none' },
          outlined: { borderColor: of('line') },
        },
      },
      MuiCard: {
        defaultProps: { variant: 'outlined' },
        styleOverrides: { root: { borderRadius: of('radius-field') } },
      },
      // A calm note comes with its page, and interrupts no reader; an outlined one says what was just done.
      MuiAlert: {
        defaultProps: {
          slotProps: {
            root: ({ role = 'note', severity, variant }: AlertProps) =>
              variant === 'standard' && (severity === 'success' || severity === 'info')
                ? { role }
                : {},
          },
        },
        // On a phone the button comes below the sentence, which would else be a word a line.
        styleOverrides: { root: { flexWrap: 'wrap' }, message: { flex: '1 1 10rem' } },
      },
      MuiAppBar: {
        styleOverrides: {
          root: {
            backgroundColor: of('surface'),
            color: of('ink'),
            borderBottom: `1px solid ${of('line')}`,
            boxShadow: 'none',
          },
        },
      },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: of('line'), fontVariantNumeric: 'tabular-nums' },
          head: { color: of('ink-2'), fontWeight: of('weight-semibold') },
          // Wide lists fit a small screen.
          sizeSmall: { paddingInline: 8, '@media (max-width: 1100px)': { paddingInline: 6 } },
        },
      },
      MuiDialog: {
        styleOverrides: {
          paper: {
            borderRadius: of('radius-field'),
            // On a phone nearly as large as the screen.
            '@media (max-width: 600px)': {
              margin: 12,
              width: 'calc(100% - 24px)',
              maxHeight: 'calc(100% - 24px)',
            },
          },
        },
      },
      // A name or an address has no place to break at.
      MuiDialogContent: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
      // In line with the text above them; on a small phone one below the other.
      MuiDialogActions: {
        styleOverrides: { root: { padding: '0 24px 20px', flexWrap: 'wrap', rowGap: 8 } },
      },
      // The edge of the card ends the table.
      MuiTableBody: { styleOverrides: { root: { '& tr:last-of-type > *': { borderBottom: 0 } } } },
      MuiTooltip: {
        styleOverrides: { tooltip: { backgroundColor: of('toast'), color: of('toast-ink') } },
      },
      // The label belongs to the input; Material UI gives it to the box around it, where no reader looks.
      MuiCheckbox: {
        defaultProps: {
          slotProps: {
            root: { 'aria-label': undefined },
            input: (owner: CheckboxProps) => ({ 'aria-label': owner['aria-label'] }),
          },
        },
      },
      MuiMenuItem: { styleOverrides: { root: { fontSize: of('text-small') } } },
      RaDataTable: {
        styleOverrides: {
          root: {
            '& .RaDataTable-headerCell': { backgroundColor: of('sunk') },
            '& tr > :first-of-type': { paddingInlineStart: 16 },
          },
        },
      },
      RaLayout: {
        styleOverrides: {
          root: {
            '& .RaLayout-content': {
              paddingInline: 16,
              paddingBlock: '8px 24px',
              '@media (max-width: 1100px)': { paddingInline: 12 },
              // It has the focus after a choice in the menu, and nothing around it to draw on.
              '&:focus-visible': { outlineOffset: -2 },
            },
          },
        },
      },
      // Over the list's head: above the list, where the library shows it, it would be cut off.
      RaBulkActionsToolbar: {
        styleOverrides: {
          root: {
            '& .RaBulkActionsToolbar-toolbar': {
              height: 'auto',
              minHeight: 38,
              transform: 'none',
              transition: 'none',
              backgroundColor: of('accent-soft'),
              paddingInline: 16,
            },
            '& .RaBulkActionsToolbar-topToolbar': { color: of('ink'), padding: '2px 0' },
            '& .RaBulkActionsToolbar-collapsed': { display: 'none' },
          },
        },
      },
      // In line with the filters; beside filters on a narrow screen, each button has its own line.
      RaTopToolbar: {
        styleOverrides: {
          root: {
            flex: 'none',
            alignItems: 'center',
            padding: '8px 0 8px 8px',
            '@media (max-width: 1100px)': { flex: '0 1 auto', flexWrap: 'wrap' },
            '@media (max-width: 600px)': {
              minHeight: 0,
              padding: '0 0 8px',
              backgroundColor: 'transparent',
              '&:empty': { display: 'none' },
            },
          },
        },
      },
      RaFilterForm: {
        styleOverrides: {
          root: {
            gap: 8,
            paddingBlock: 8,
            alignItems: 'center',
            minWidth: 0,
            minHeight: 0,
            // The library's own distance between two fields is added to it.
            '& .RaFilterFormInput-spacer': { display: 'none' },
            // Text, choice and date fields are aligned in one line.
            '& .MuiFormControl-root': { marginBlock: 0 },
            '@media (max-width: 600px)': {
              display: 'grid',
              gridTemplateColumns: 'repeat(auto-fill, minmax(10.5rem, 1fr))',
              padding: '8px 0',
              '& [data-source="q"]': { gridColumn: '1 / -1' },
              '& .MuiFormControl-root': { width: '100%' },
            },
          },
        },
      },
      // On a phone the buttons of a list stand below its filters.
      RaListToolbar: {
        styleOverrides: {
          root: {
            '@media (max-width: 600px)': {
              flexDirection: 'column',
              alignItems: 'stretch',
              backgroundColor: 'transparent',
            },
          },
        },
      },
      // Wider with larger letters; the library counts in pixels.
      RaSelectInput: { styleOverrides: { root: { minWidth: '10rem' } } },
      RaMenuItemLink: {
        styleOverrides: {
          root: {
            fontSize: of('text-small'),
            '&.RaMenuItemLink-active': {
              backgroundColor: of('accent-soft'),
              fontWeight: of('weight-semibold'),
            },
          },
        },
      },
    } as NonNullable<RaThemeOptions['components']>,
  }
}
