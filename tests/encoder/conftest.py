from tests.support.tiny_model import model, pieces

__all__ = ["model", "pieces"]
