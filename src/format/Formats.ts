/**
 * All formats of this library, by name and by file.
 *
 * @since 0.1.0
 */
