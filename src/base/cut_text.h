/** Names cut to fit a sentence, or filled to fit a column. */
#ifndef SRC_CUT_TEXT_H
#define SRC_CUT_TEXT_H

/** For "%.*s": the bytes of at most `most` that end with a whole character of UTF-8, and the text. */
#define CUT_TEXT(text, most) cut_text_bytes(text, most), text
int cut_text_bytes(const char *text, int most);

/** Number of blanks that fill `name`, in UTF-8, up to `width` letters. */
int cut_text_blanks(const char *name, int width);

#endif
